//! Numbers of things in words.

/// Separates the thousands: `57 000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// `1 run`, `2 runs`, `2 processes`.
pub fn counted(count: usize, thing: &str) -> String {
    let plural = match count {
        1 => "",
        _ if thing.ends_with('s') || thing.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {thing}{plural}", grouped(count as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_stay_readable() {
        assert_eq!(grouped(57_000), "57 000");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(u64::MAX), "18 446 744 073 709 551 615");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, "run"), "1 run");
        assert_eq!(counted(0, "run"), "0 runs");
        assert_eq!(counted(1_000, "switch"), "1 000 switches");
    }
}

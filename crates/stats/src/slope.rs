//! The slope of one quantity over another.

/// Returns the slope of y over x: the median of the slopes of all pairs of points, which few
/// outliers do not move (Theil 1950, Sen 1968). Returns `None` if no two points have different x.
pub fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let mut slopes = Vec::new();
    for (index, (x, y)) in points.iter().enumerate() {
        let later = points[index + 1..].iter().filter(|(other, _)| other != x);
        slopes.extend(later.map(|(other_x, other_y)| (other_y - y) / (other_x - x)));
    }
    slopes.sort_unstable_by(f64::total_cmp);
    let last = slopes.len().checked_sub(1)?;
    Some(f64::midpoint(slopes[last / 2], slopes[last.div_ceil(2)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outlier_does_not_move_the_slope() {
        let mut points: Vec<(f64, f64)> =
            (0..5).map(|x| (f64::from(x), f64::from(2 * x))).collect();
        assert_eq!(slope(&points), Some(2.0));
        points[3].1 = 1000.0;
        assert_eq!(slope(&points), Some(2.0));
    }

    #[test]
    fn points_at_the_same_x_have_no_slope() {
        assert_eq!(slope(&[]), None);
        assert_eq!(slope(&[(1.0, 2.0), (1.0, 5.0)]), None);
    }
}

//! Refuses elements with more attributes than any model has, because the parser compares each
//! attribute with all others.

use crate::refused::{Refused, refused};

/// The most attributes of an element; FMI's own elements have about twenty.
const MOST: usize = 1_000;

/// # Errors
/// One line that names the first element with too many attributes.
pub(super) fn refuse_many_attributes(text: &str) -> Result<(), Refused> {
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = match rest {
            comment if comment.starts_with("!--") => comment.find("-->"),
            data if data.starts_with("![CDATA[") => data.find("]]>"),
            element => {
                let (attributes, end) = attributes(element);
                if attributes > MOST {
                    let name = element.chars().take_while(|letter| letter.is_alphanumeric());
                    let name: String = name.take(40).collect();
                    return Err(refused!(
                        "an element `{name}` of its modelDescription.xml has more than {MOST} attributes; export the \
                         model again"
                    ));
                }
                end
            }
        };
        rest = end.map_or("", |end| &rest[end..]);
    }
    Ok(())
}

/// Counts an element's attributes, up to one too many, and finds its end.
fn attributes(element: &str) -> (usize, Option<usize>) {
    let (mut quote, mut count) = (None, 0);
    for (place, letter) in element.bytes().enumerate() {
        match (quote, letter) {
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(letter),
            (None, b'=') => count += 1,
            (None, b'>') => return (count, Some(place)),
            (None, _) => {}
        }
        if count > MOST {
            return (count, None);
        }
    }
    (count, None)
}

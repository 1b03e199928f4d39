//! Linear least squares with confidence intervals.

use crate::{CONFIDENCE, student};

/// A column is refused if a smaller share of it than this is independent of the others: the rest
/// would be rounding and noise.
const OWN_SHARE: f64 = 1e-3;

/// Coefficients that minimise the sum of squared residuals, for residuals that are independent and
/// of equal variance.
#[derive(Debug, Clone, PartialEq)]
pub struct LeastSquares {
    /// One coefficient per column.
    pub coefficients: Vec<f64>,
    /// Standard deviation of the residuals: the root of their sum of squares over the degrees of
    /// freedom.
    pub residual: f64,
    /// Degrees of freedom: observations minus coefficients; at least 1.
    pub freedom: u64,
    /// Number of standard errors on each side of a 95 % interval.
    pub standard_errors: f64,
    /// The inverse of the factor R, by columns.
    inverse: Vec<Vec<f64>>,
}

/// Why there are no coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undetermined {
    /// There are too few observations: the minimum is one more than there are coefficients.
    TooFew {
        /// Number of observations.
        observations: usize,
        /// Smallest number of observations needed.
        least: usize,
    },
    /// This column is a combination of the ones before it, or is zero.
    Collinear {
        /// Index of the column, from 0.
        column: usize,
    },
}

impl LeastSquares {
    /// Fits `values` by the columns, all as long as `values`, by orthogonalisation (modified
    /// Gram-Schmidt, which is as exact as Householder's: Björck, BIT 7, 1967).
    ///
    /// # Errors
    /// Fails if the observations do not determine the coefficients.
    pub fn fit(columns: &[Vec<f64>], values: &[f64]) -> Result<Self, Undetermined> {
        let least = columns.len() + 1;
        if values.len() < least {
            let observations = values.len();
            return Err(Undetermined::TooFew { observations, least });
        }
        let mut orthogonal: Vec<Vec<f64>> = Vec::new();
        let mut upper: Vec<Vec<f64>> = Vec::new();
        for (column, whole) in columns.iter().enumerate() {
            let mut own = whole.clone();
            let mut shares: Vec<f64> = orthogonal.iter().map(|q| removed(&mut own, q)).collect();
            let length = length(&own);
            if length <= OWN_SHARE * self::length(whole) {
                return Err(Undetermined::Collinear { column });
            }
            own.iter_mut().for_each(|value| *value /= length);
            orthogonal.push(own);
            shares.push(length);
            upper.push(shares);
        }
        let mut residuals = values.to_vec();
        let projections: Vec<f64> = orthogonal.iter().map(|q| removed(&mut residuals, q)).collect();
        let freedom = values.len() - columns.len();
        let inverse = inverted(&upper);
        let row = |row: usize| (row..columns.len()).map(move |column| (row, column));
        let coefficient = |first: usize| {
            row(first).map(|(row, column)| inverse[column][row] * projections[column]).sum()
        };
        Ok(Self {
            coefficients: (0..columns.len()).map(coefficient).collect(),
            residual: length(&residuals) / (freedom as f64).sqrt(),
            freedom: freedom as u64,
            standard_errors: student::standard_errors(freedom as f64, CONFIDENCE),
            inverse,
        })
    }

    /// Returns the expected value of a new observation with these columns.
    pub fn value(&self, columns: &[f64]) -> f64 {
        dot(&self.coefficients, columns)
    }

    /// Returns half the width of the 95 % interval of the true mean around [`value`](Self::value).
    pub fn margin(&self, columns: &[f64]) -> f64 {
        self.standard_errors * self.residual * self.error_of_value(columns)
    }

    /// Returns half the width of the 95 % interval of a coefficient.
    pub fn margin_of(&self, coefficient: usize) -> f64 {
        self.standard_errors * self.residual * self.error_of(coefficient)
    }

    /// Returns the standard error of a coefficient, for observations with a standard deviation of
    /// 1.
    pub fn error_of(&self, coefficient: usize) -> f64 {
        let alone = |column| f64::from(u8::from(column == coefficient));
        let columns: Vec<f64> = (0..self.coefficients.len()).map(alone).collect();
        self.error_of_value(&columns)
    }

    fn error_of_value(&self, columns: &[f64]) -> f64 {
        let inverse = self.inverse.iter();
        let along = inverse.map(|inverse| dot(inverse, columns).powi(2));
        along.sum::<f64>().sqrt()
    }
}

/// Removes the component along `unit` from a vector and returns its size.
fn removed(vector: &mut [f64], unit: &[f64]) -> f64 {
    let share = dot(vector, unit);
    for (value, unit) in vector.iter_mut().zip(unit) {
        *value -= share * unit;
    }
    share
}

/// The inverse of an upper triangle; both by columns, without the zeros below.
fn inverted(upper: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let column = |last: usize| {
        let mut inverse = vec![0.0; last + 1];
        inverse[last] = 1.0 / upper[last][last];
        for row in (0..last).rev() {
            let known: f64 = (row + 1..=last).map(|k| upper[k][row] * inverse[k]).sum();
            inverse[row] = -known / upper[row][row];
        }
        inverse
    };
    (0..upper.len()).map(column).collect()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn length(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-8 * other.abs()
    }

    /// Masses, semaphore operations, switches and 1, as for the steps of a tire.
    fn columns() -> Vec<Vec<f64>> {
        let masses = vec![400., 2000., 5900., 24000., 57000., 200., 1000., 2950., 12000., 28500.];
        let semaphores =
            vec![400., 2000., 5900., 24000., 57000., 400., 2000., 5900., 24000., 57000.];
        let switches = vec![0., 0., 0.1, 0.3, 0.2, 0., 0.05, 0., 0.4, 0.1];
        vec![masses, semaphores, switches, vec![1.0; 10]]
    }

    /// Golden values of numpy 2.4 (`linalg.lstsq`) and scipy 1.17 (`t.ppf`).
    #[test]
    fn coefficients_and_intervals_are_those_of_numpy() {
        let values = [
            13100., 65900., 196_300., 796_000., 1_880_000., 9950., 48700., 143_500., 590_000.,
            1_398_000.,
        ];
        let fit = LeastSquares::fit(&columns(), &values).unwrap();
        let golden = [
            (16.942_001_695_231_3, 0.148_673_092_814_375_35),
            (16.028_328_262_576_14, 0.121_618_206_023_783_07),
            (8_835.581_756_139_043, 8_835.844_292_599_955),
            (-75.147_379_194_403_16, 1_439.292_431_016_874_4),
        ];
        for (column, (coefficient, margin)) in golden.into_iter().enumerate() {
            assert!(near(fit.coefficients[column], coefficient), "{fit:?}");
            assert!(near(fit.margin_of(column), margin), "{column}");
        }
        assert!(near(fit.residual, 1_326.215_482_835_615_6));
        let new = [10_000.0, 20_000.0, 0.0, 1.0];
        assert!(near(fit.value(&new), 489_911.434_824_641_4));
        assert!(near(fit.margin(&new), 1_607.775_200_998_863));
    }

    #[test]
    fn intervals_contain_the_truth_as_often_as_they_claim() {
        const TRIALS: usize = 2000;
        let truth = [17.0, 16.0, 9e3, 500.0];
        let columns = columns();
        let mean = |row: usize| -> f64 { (0..4).map(|c| truth[c] * columns[c][row]).sum() };
        let mut random = Random::new(1);
        let mut held = [0; 4];
        for _ in 0..TRIALS {
            let noisy: Vec<f64> = (0..10).map(|r| mean(r) + 1e3 * random.normal()).collect();
            let fit = LeastSquares::fit(&columns, &noisy).unwrap();
            for (column, held) in held.iter_mut().enumerate() {
                let off = (fit.coefficients[column] - truth[column]).abs();
                *held += usize::from(off <= fit.margin_of(column));
            }
        }
        // 95 %; 4.1 standard deviations of the binomial on each side.
        for held in held {
            let share = held as f64 / TRIALS as f64;
            assert!((0.93..=0.97).contains(&share), "{share}");
        }
    }

    #[test]
    fn undetermined_coefficients_are_refused() {
        let one = vec![1.0, 2.0, 3.0, 4.0];
        let sum: Vec<f64> = one.iter().map(|x| 2.0 * x + 1.0).collect();
        let columns = [one.clone(), vec![1.0; 4], sum];
        for (columns, values, why) in [
            (&columns[..], &[1.0, 2.0, 3.0, 5.0][..], Undetermined::Collinear { column: 2 }),
            (&[vec![0.0; 4]], &one, Undetermined::Collinear { column: 0 }),
            (&columns[..2], &[1.0, 2.0], Undetermined::TooFew { observations: 2, least: 3 }),
        ] {
            assert_eq!(LeastSquares::fit(columns, values), Err(why));
        }
    }
}

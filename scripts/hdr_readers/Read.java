import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/** Prints what Java's HdrHistogram finds in a log: tag, number of values, quantiles in percent (the arguments). */
public class Read {
    public static void main(String[] words) throws Exception {
        HistogramLogReader reader = new HistogramLogReader(words[0]);
        while (reader.hasNext()) {
            EncodableHistogram found = reader.nextIntervalHistogram();
            if (found == null) break;
            Histogram histogram = (Histogram) found;
            StringBuilder line = new StringBuilder(histogram.getTag() + " " + histogram.getTotalCount());
            for (int at = 1; at < words.length; at++) {
                line.append(" ").append(histogram.getValueAtPercentile(Double.parseDouble(words[at])));
            }
            System.out.println(line);
        }
    }
}

// Prints what hdr-histogram-js finds in a log: tag, number of values, quantiles in percent (the arguments).
const fs = require("fs");
const { HistogramLogReader } = require("hdr-histogram-js");

const [path, ...shares] = process.argv.slice(2);
const reader = new HistogramLogReader(fs.readFileSync(path, "utf8"));
for (let histogram; (histogram = reader.nextIntervalHistogram()); ) {
  const values = shares.map((share) => histogram.getValueAtPercentile(Number(share)));
  console.log([histogram.tag, histogram.totalCount, ...values].join(" "));
}

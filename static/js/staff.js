// The staff's pages: times are in the reader's own zone, as everywhere.

import { showTimes } from "./times.js";

showTimes(document);

// All that works in the inspector. static/js/wanted.js loads it when a page first shows one. (The
// import with a name comes first: otherwise the hashing of static files would join the other
// imports to it.)

import { begin } from "./panel.js";
import "./zones.js";
import "./turns.js";
import "./finder.js";
import "./sheet.js";
import "./closing.js";
import "./edge.js";
import "./copying.js";
import "./replayed.js";
import "./whatif.js";
import "./experiments.js";
import "./everybody.js";

export { begin };

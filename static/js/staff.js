// The staff's pages: times are in the reader's own zone, as everywhere, and so is the account's menu.

import "./menus.js";
import { showTimes } from "./times.js";

showTimes(document);

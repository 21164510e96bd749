// The administration's own scripts. Without them its forms can still be filled in and saved.

import { nameTooltips } from "./admin-choosers.js";
import { forgetErrors } from "./admin-correcting.js";
import { keepClear } from "./admin-keeping.js";
import { warnOfLeaving } from "./admin-leaving.js";
import { beginPreview } from "./admin-preview.js";
import { enlivenRows } from "./admin-rows.js";
import { offerTest } from "./admin-test.js";
import { chooseWindow } from "./admin-window.js";
import "./menus.js";

enlivenRows();
addEventListener("load", nameTooltips); // Django makes its choosers then.
const preview = document.querySelector("[data-preview]");
if (preview) beginPreview(preview);
const test = document.querySelector("[data-test]");
if (test) offerTest(test);
const form = document.querySelector(".change-form #content-main > form");
if (form) warnOfLeaving(form);
if (form) forgetErrors(form);
if (form) keepClear(form);
if (form) chooseWindow(form);

// Every page works without these scripts. Each file has one behavior, attached by a data attribute.
import "./js/htmx.js";
import "./js/combobox.js";
import "./js/copy.js";
import "./js/dismiss.js";
import "./js/fold.js";
import "./js/fragment.js";
import "./js/keys.js";
import "./js/launch.js";
import "./js/live.js";
import "./js/menus.js";
import "./js/passkey.js";
import "./js/preset.js";
import "./js/theme.js";
import "./js/once.js"; // after those that send a form themselves

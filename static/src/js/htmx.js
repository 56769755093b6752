// htmx, told to stay within the Content-Security-Policy: no style element of its own, nothing evaluated.
import htmx from "htmx.org";

htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;
htmx.config.selfRequestsOnly = true;
htmx.config.historyCacheSize = 0; // pages with balances are not kept in the browser's storage
htmx.config.scrollBehavior = "auto";

export default htmx;

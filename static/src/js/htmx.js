// htmx, configured to comply with the Content-Security-Policy: it adds no style element and evaluates nothing.
import htmx from "htmx.org";

htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;
htmx.config.selfRequestsOnly = true;
htmx.config.historyCacheSize = 0; // pages with balances are not kept in the browser's storage
htmx.config.scrollBehavior = "auto";

export default htmx;

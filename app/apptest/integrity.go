package apptest

import ()

const HostileName = `"><script>alert(1)</script>`

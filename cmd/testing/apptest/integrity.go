package apptest

const HostileName = `"><script>alert(1)</script>`

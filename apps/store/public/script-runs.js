// Marks this browser as running scripts, so that waiting pages need not reload themselves.
const secure = location.protocol === "https:" ? "; Secure" : "";
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that are still in use.
document.cookie = `tillgate_store_script=1; Path=/checkout; SameSite=Lax${secure}`;

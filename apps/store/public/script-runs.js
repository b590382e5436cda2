// Tells the shop that scripts run in this browser: its pages that wait need not be loaded again under their reader.
const secure = location.protocol === "https:" ? "; Secure" : "";
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that are still in use.
document.cookie = `tillgate_store_script=1; Path=/checkout; SameSite=Lax${secure}`;

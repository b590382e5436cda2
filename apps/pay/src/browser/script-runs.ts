import { SCRIPT_COOKIE } from "../script-cookie";

/**
 * Shows what only the script can do, and tells the server that it runs. A page that was drawn without knowing that would
 * refresh itself under the reader: it is drawn again, once.
 */
export function showThatScriptRuns(): void {
  document.documentElement.classList.add("scripted");
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that are still in use.
  document.cookie = `${SCRIPT_COOKIE}=1; Path=/pay; SameSite=Lax${secure}`;
  const refreshes = document.querySelector('meta[http-equiv="refresh"]') !== null;
  if (refreshes && document.cookie.includes(`${SCRIPT_COOKIE}=1`)) location.reload();
}

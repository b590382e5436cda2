import { SCRIPT_COOKIE } from "../script-cookie";

/**
 * Shows the elements that need the script, and lets the server know that it runs. A page for browsers without it would
 * refresh itself under the reader, so it is drawn again, once.
 */
export function showThatScriptRuns(): void {
  document.documentElement.classList.add("scripted");
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that are still in use.
  document.cookie = `${SCRIPT_COOKIE}=1; Path=/pay; SameSite=Lax${secure}`;
  const refreshes = document.querySelector('meta[http-equiv="refresh"]') !== null;
  if (refreshes && document.cookie.includes(`${SCRIPT_COOKIE}=1`)) location.reload();
}

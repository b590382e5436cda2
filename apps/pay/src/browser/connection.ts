/** What is known of the way to the order: the browser is offline, nothing answers, or the service behind the page does not. */
export type Connection = "good" | "offline" | "lost" | "unavailable";

/** Says on the page what is wrong with the connection, and no more when it is good again. @returns what was said. */
export function showConnection(main: HTMLElement, connection: Connection): string {
  const line = main.querySelector<HTMLElement>("[data-connection]");
  if (line === null) return "";
  line.dataset.connection = connection;
  line.hidden = connection === "good";
  line.textContent = line.dataset[connection] ?? "";
  return line.textContent;
}

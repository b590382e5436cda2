/** Turns the server's UTC times into the shopper's own. */
export function localiseMoments(main: HTMLElement): void {
  for (const moment of main.querySelectorAll<HTMLTimeElement>("time[data-moment]")) {
    moment.textContent = new Date(moment.dateTime).toLocaleString(document.documentElement.lang, {
      dateStyle: "medium",
      timeStyle: "short",
    });
  }
}

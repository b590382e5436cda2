import { localiseMoments, startPrinting } from "./page";

/** The wallet's only script. Every page works without it: it writes times in the reader's zone, and prints. */
document.documentElement.classList.add("scripted");
for (const main of document.querySelectorAll("main")) {
  localiseMoments(main);
  startPrinting(main);
}

import { readFileSync } from "node:fs";
import path from "node:path";

/** The pictures of the guide that the readme's list "Screenshots" describes, in its order. */
const screenshots = ["settings", "checkout", "qr", "order", "health"];

/**
 * What the plugin's page in the directory shows: `icon.svg` and `screenshot-1.png` and so on.
 *
 * @param {string} room the folder of the plugin
 * @returns {Map<string, Buffer>} file names and what they hold
 */
export function directoryFiles(room) {
  const images = path.join(room, "../../docs/images");
  return new Map([
    ["icon.svg", readFileSync(path.join(room, "src/assets/tillgate.svg"))],
    ...screenshots.map((name, index) => [
      `screenshot-${index + 1}.png`,
      readFileSync(path.join(images, `woocommerce-${name}.png`)),
    ]),
  ]);
}

import { readFile } from "node:fs/promises";
import path from "node:path";
import { createBuilder, ROOT } from "./build-image.js";
import { parseDockerfile } from "./dockerfile.js";
import { runWithMachines, startNetwork } from "./machines.js";
import { NETWORK, startImage } from "./start-image.js";

const DOCKERFILE = path.join(ROOT, "deploy/docker/Dockerfile");

// cspell:ignore sistem
/** Mistakes in the Dockerfile, and the error message that each must cause. */
const MISTAKES: readonly [right: string, wrong: string, error: RegExp][] = [
  ["groupadd --system", "groupadd --sistem", /unrecognized option '--sistem'/],
  [
    "COPY --from=build /opt/tillgate /opt/tillgate",
    "COPY --from=build /opt/tillgate /opt/tilgate",
    /Cannot find module '\/opt\/tillgate\/scripts\/up\.mjs'/,
  ],
  ["USER tillgate", "USER tilgate", /resolve user tilgate/],
  [
    'CMD ["scripts/up.mjs", ',
    'CMD ["scripts/upp.mjs", ',
    /Cannot find module '\/opt\/tillgate\/scripts\/upp\.mjs'/,
  ],
  [
    "/var/lib/tillgate /var/backups/tillgate\n",
    "/var/backups/tillgate\n",
    /TILLGATE_DATA_DIR: \/var\/lib\/tillgate\/data cannot be/,
  ],
];

/**
 * Executes the Dockerfile in folders that contain Debian 12, with Node from npm, and starts its command with the limits in `compose.yml`. Then
 * repeats this with each of {@link MISTAKES}, which must cause the expected error.
 * @returns whether all runs end as expected.
 */
export const runImage = ({ keep }: { keep: boolean }): Promise<boolean> =>
  runWithMachines({ name: "image", programs: ["openssl"], keep }, async (folder, closing) => {
    closing.push(await startNetwork({ [NETWORK]: "10.0.0.31" }));
    const builder = createBuilder(folder, closing);
    const text = await readFile(DOCKERFILE, "utf8");
    await startImage(await builder(parseDockerfile(text)), folder, closing);
    console.log(
      "Every step of the Dockerfile succeeded, and the server that the image starts became ready and stopped cleanly.",
    );
    for (const [right, wrong, expected] of MISTAKES) {
      if (!text.includes(right)) throw new Error(`The Dockerfile does not contain ${right}`);
      const outcome = await builder(parseDockerfile(text.replace(right, wrong)))
        .then((image) => startImage(image, folder, closing))
        .then(
          () => undefined,
          (error: Error) => error.message,
        );
      if (outcome === undefined) throw new Error(`The image works despite this mistake: ${wrong}`);
      const [found] = expected.exec(outcome) ?? [];
      if (found === undefined) throw new Error(`${wrong} did not cause ${expected}:\n${outcome}`);
      console.log(`✓ with the mistake "${wrong.trim()}", the image fails as expected: "${found}"`);
    }
  });

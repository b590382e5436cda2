import { expect, it } from "vitest";
import { findWrongLicences } from "../../testing/dependencies.mjs";

const lockOf = (packages: Record<string, { license?: string; dev?: boolean; link?: boolean }>) => ({
  packages,
});

it("a production dependency is reported unless its licence permits redistribution or is a listed exception", () => {
  const wrong = findWrongLicences(
    lockOf({
      "": { license: "MIT" },
      "node_modules/good": { license: "MIT" },
      "node_modules/either": { license: "(GPL-3.0-only OR MIT)" },
      "node_modules/both": { license: "MIT AND Zlib" },
      "node_modules/@tillgate/own": { link: true },
      "node_modules/tool": { license: "GPL-2.0-or-later", dev: true },
      "node_modules/@img/sharp-x": { license: "LGPL-3.0-or-later" },
      "node_modules/copyleft": { license: "GPL-3.0-only" },
      "node_modules/a/node_modules/mixed": { license: "MIT AND AGPL-3.0-only" },
      "node_modules/unknown": { license: "SEE LICENSE IN LICENSE" },
      "node_modules/silent": {},
    }),
  );
  expect(wrong).toEqual([
    "copyleft is under GPL-3.0-only",
    "mixed is under MIT AND AGPL-3.0-only",
    "unknown is under SEE LICENSE IN LICENSE",
    "silent declares no licence",
  ]);
});

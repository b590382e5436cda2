import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { nodeFlags } from "../../src/service-process.js";

const read = (file: string) => readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), "utf8");

it("the systemd unit and the Docker image of a single service start Node with the stack's flags", () => {
  expect(read("systemd/tillgate@.service")).toContain(`/usr/bin/node ${nodeFlags.join(" ")} `);
  expect(read("docker/Dockerfile")).toContain(
    `ENTRYPOINT ${JSON.stringify(["node", ...nodeFlags]).replaceAll(",", ", ")}`,
  );
});

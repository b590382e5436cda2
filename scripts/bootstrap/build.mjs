import { installedProgram, root } from "./project.mjs";
import { runProgram } from "./run-program.mjs";

/**
 * Builds the packages whose sources have changed, which Turborepo detects by content.
 * @param {readonly string[]} [options] additional arguments for turbo
 * @returns whether the build succeeded
 */
export async function buildWhatIsStale(options = []) {
  console.log("Building what has changed…");
  const code = await runProgram(
    installedProgram("turbo"),
    ["run", "build", "--output-logs=errors-only", "--log-prefix=none", ...options],
    { cwd: root, env: buildEnvironment() },
  );
  if (code !== 0) console.error("The build failed. See the messages above.");
  return code === 0;
}

export function buildEnvironment() {
  return {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  };
}

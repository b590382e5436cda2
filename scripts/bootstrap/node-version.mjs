const neededMajor = 20;
const neededMinor = 19;

/** Ends the process with one clear line when this Node is too old for the project (package.json, engines). */
export function refuseOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  console.error(
    `Tillgate needs Node ${neededMajor}.${neededMinor} or newer; this is ${process.version}. See https://nodejs.org.`,
  );
  process.exit(1);
}

const neededMajor = 20;
const neededMinor = 19;

/** Exits with a message if this Node is older than `engines` in package.json. */
export function rejectOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  console.error(
    `Tillgate requires Node.js ${neededMajor}.${neededMinor} or later; you are running ${process.version}. See https://nodejs.org.`,
  );
  process.exit(1);
}

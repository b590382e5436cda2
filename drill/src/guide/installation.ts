import { writeFile } from "node:fs/promises";
import path from "node:path";
import { waitUntil } from "../until.js";
import { type Block, findShellBlocks } from "./blocks.js";
import {
  bootMachine,
  type Closing,
  findNode,
  findProgram,
  type Machine,
  prepareBase,
  runOrFail,
  runWithMachines,
  startNetwork,
} from "./machines.js";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const DOCUMENT = "docs/production.md";
const REPOSITORY = "/srv/tillgate.git";
const NODE_LINE = "24";
const NEXT_VERSION = "next-version";
/** Heading of the chapter in which the drill upgrades from the rolled-back version, which has the same PostgreSQL. */
const POSTGRESQL_UPGRADE = "To another major version of PostgreSQL";
const READY_LIMIT_MS = 180_000;
const HOSTS =
  "127.0.0.1 localhost api.example.com pay.example.com console.example.com mail.example.com example.com";
const SETTINGS = /^# (\/\S+)\n/;
/** File with the path of the folder in which the next block runs. */
const FOLDER_FILE = "/run/guide-folder";

/** Fills in placeholders as an operator does, and removes the option with which `journalctl` would not exit. */
const replacePlaceholders = (text: string, restoredTime: Date): string =>
  text
    .replaceAll("<this repository>", REPOSITORY)
    .replaceAll("<version>", NEXT_VERSION)
    .replaceAll("2026-11-24T14:05:00Z", restoredTime.toISOString())
    .replaceAll(/^(journalctl .*) -f$/gm, "$1 --no-pager");

const EXPECTED: readonly [command: string, output: RegExp][] = [
  ["--check", /settings\.env is valid: https:\/\/api\.example\.com/],
  ["administrators add", /password/i],
  ["npm run backup", /was taken and restored, its ledger is sound/],
  ["npm run restore", /The ledger is sound\./],
  ["npm run upgrade-postgresql", /The database was copied into \S+, and its ledger is sound\./],
];

/** Checks that the services respond. Their certificate is from a test authority. */
const READY = `NODE_TLS_REJECT_UNAUTHORIZED=0 node --no-warnings -e '
  for (const [host, path] of [["api", "/readyz"], ["pay", "/healthz"], ["console", "/sign-in"]])
    fetch("https://" + host + ".example.com" + path).then(({ status }) => { if (status !== 200) process.exit(1); }, () => process.exit(1));'`;

/** Checks that a backup was taken after a start with an empty backup folder. `grep -q` would exit early, and the pipeline would then fail. */
const BACKED_UP = `journalctl --output=cat _SYSTEMD_INVOCATION_ID="$(systemctl show --property=InvocationID --value tillgate)" |
  grep --count 'was taken and restored, its ledger is sound'`;

const CHECKS: Readonly<Record<string, string>> = {
  "systemd accepts the unit": "systemd-analyze verify --man=no /etc/systemd/system/tillgate.service",
  "systemd did not have to restart the service":
    '[ "$(systemctl show --property=NRestarts --value tillgate)" = 0 ]',
  "the service logged no error": '[ -z "$(journalctl --unit=tillgate --priority=err --quiet --output=cat)" ]',
  "only the service's user can read settings, data and backups": [
    '[ "$(stat -c "%U %a" /etc/tillgate/settings.env /var/lib/tillgate/data /var/backups/tillgate | sort -u)" = "tillgate 600',
    'tillgate 700" ]',
  ].join("\n"),
  "the services run as the user tillgate":
    '[ "$(stat -c %U "/proc/$(systemctl show --property=MainPID --value tillgate)")" = tillgate ]',
};

/**
 * Executes the shell blocks of docs/production.md verbatim on a freshly booted Debian 12, with Node from npm and pebble as the certificate authority.
 * @returns whether all blocks and checks succeeded.
 */
export const runInstallation = ({ keep }: { keep: boolean }): Promise<boolean> =>
  runWithMachines({ name: "installation", programs: ["pebble", "git"], keep }, async (folder, closing) => {
    // HEAD is the version that is installed.
    const blocks = findShellBlocks(await runOrFail("git", "-C", ROOT, "show", `HEAD:${DOCUMENT}`));
    const machine = await bootFresh(blocks, folder, closing);
    let previousAt = new Date();
    for (const block of blocks) {
      const [, file] = SETTINGS.exec(block.text) ?? [];
      if (file !== undefined) await writeSettings(machine, file, block);
      else if (block.heading === POSTGRESQL_UPGRADE) await upgradePostgresql(machine, block);
      else {
        const startedAt = new Date();
        await execute(machine, block.heading, replacePlaceholders(block.text, previousAt));
        previousAt = startedAt;
      }
    }
    console.log(`Every block of ${DOCUMENT} succeeded, and every check passed.`);
  });

async function bootFresh(blocks: readonly Block[], folder: string, closing: Closing): Promise<Machine> {
  const base = await prepareBase(blocks.flatMap(({ text }) => text.match(/^apt-get install .*$/gm) ?? []));
  const repository = path.join(folder, "repository.git");
  await createRepository(repository);
  closing.push(await startNetwork({ fresh: "10.0.0.21" }));
  const { node, npm } = await findNode(NODE_LINE);
  const machine = await bootMachine({
    name: "fresh",
    base,
    folder,
    binds: {
      "/usr/bin/node": node,
      "/usr/lib/node_modules/npm": npm,
      "/usr/bin/pebble": await findProgram("pebble"),
      [REPOSITORY]: repository,
    },
    onStop: (stop) => closing.push(stop),
  });
  await writeFile(path.join(machine.root, "etc/hosts"), `${HOSTS}\n`);
  // Without this setting, git does not serve a folder of another user. A repository on a server does not need it.
  await writeFile(path.join(machine.root, "etc/gitconfig"), `[safe]\n\tdirectory = ${REPOSITORY}\n`);
  await succeed(
    machine,
    "ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm; echo /root > /run/guide-folder",
  );
  await succeed(machine, AUTHORITY);
  return machine;
}

async function createRepository(repository: string): Promise<void> {
  const git = (...parts: string[]): Promise<string> => runOrFail("git", "-C", repository, ...parts);
  await runOrFail("git", "clone", "--quiet", "--bare", ROOT, repository);
  const author = ["-c", "user.name=Tillgate", "-c", "user.email=you@example.com"];
  const commit = (
    await git(...author, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "next version")
  ).trim();
  await git("tag", NEXT_VERSION, commit);
}

/** Starts a certificate authority, with the document's drop-in for an authority that the machine does not trust. */
const AUTHORITY = `mkdir -p /srv/pebble /etc/systemd/system/tillgate.service.d; cd /srv/pebble
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem
cat > pebble.json <<'END'
{"pebble": {"listenAddress": "127.0.0.1:14000", "managementListenAddress": "", "certificate": "/srv/pebble/cert.pem", "privateKey": "/srv/pebble/key.pem", "httpPort": 80, "tlsPort": 443}}
END
systemd-run --quiet --unit=pebble --setenv=PEBBLE_VA_NOSLEEP=1 pebble -config /srv/pebble/pebble.json
printf '[Service]\\nEnvironment=NODE_EXTRA_CA_CERTS=/srv/pebble/cert.pem\\n' > /etc/systemd/system/tillgate.service.d/override.conf
`;

async function succeed(machine: Machine, script: string, withInternet = false): Promise<string> {
  const { code, text } = await machine.run(script, { withInternet });
  if (code !== 0) throw new Error(`Exit code ${code}:\n${script}\n${text}`);
  return text;
}

/** Writes a block of settings to its file, and adds the URL of the test authority. */
async function writeSettings(machine: Machine, file: string, { text }: Block): Promise<void> {
  await succeed(
    machine,
    `cat > ${file} <<'END'\n${text}TILLGATE_ACME_DIRECTORY=https://localhost:14000/dir\nEND`,
  );
}

/** Executes the block, with the steps that the document describes in words. */
async function upgradePostgresql(machine: Machine, { heading, text }: Block): Promise<void> {
  const steps = [
    "systemctl stop tillgate\n",
    text.replace("/opt/tillgate.before", "/opt/tillgate.after"),
    `install -d -m 700 -o tillgate -g tillgate /var/backups/tillgate/next
sed -i -e 's|^TILLGATE_DATA_DIR=.*|TILLGATE_DATA_DIR=/var/lib/tillgate/data-next|' -e 's|^TILLGATE_BACKUP_DIR=.*|TILLGATE_BACKUP_DIR=/var/backups/tillgate/next|' /etc/tillgate/settings.env
systemctl start tillgate
`,
  ];
  for (const step of steps) await execute(machine, heading, step);
}

async function execute(machine: Machine, heading: string, command: string): Promise<void> {
  const startedAt = performance.now();
  const withInternet = /apt-get|npm ci/.test(command);
  // `set -e` does not end a script at a failed command before &&. Lines with quotes are left alone, because they contain another script.
  const strict = command.replaceAll(/^([^'\n]*)$/gm, (line) => line.replaceAll(" && ", "\n"));
  const script = `cd "$(cat ${FOLDER_FILE})"\n${strict}pwd > ${FOLDER_FILE}\n`;
  const output = await succeed(machine, script, withInternet);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`${heading}: ${command.trim().split("\n")[0]} … ${seconds} s`);
  for (const [part, expected] of EXPECTED)
    if (command.includes(part) && !expected.test(output))
      throw new Error(`The output of this command does not match ${expected}:\n${command}\n${output}`);
  if (!/systemctl (start|enable --now) tillgate/.test(command)) return;
  const succeeds = async (script: string) => (await machine.run(script)).code === 0 || undefined;
  await waitUntil("all three addresses respond", READY_LIMIT_MS, () => succeeds(READY)).catch(
    async (error: unknown) => {
      throw new Error(
        `${error}\n${(await machine.run("journalctl --unit=tillgate --no-pager | tail -30")).text}`,
      );
    },
  );
  const hasEmptyFolder = /enable --now|TILLGATE_BACKUP_DIR/.test(command);
  if (hasEmptyFolder) await waitUntil("a backup is verified", READY_LIMIT_MS, () => succeeds(BACKED_UP));
  for (const [name, script] of Object.entries(CHECKS)) {
    await succeed(machine, script).catch((error: unknown) => {
      throw new Error(`Check failed: ${name}. ${error}`);
    });
    console.log(`✓ ${name}`);
  }
}

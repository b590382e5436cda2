import { MAX_CONTROL_COUNT, MAX_DELAY_SECONDS, TEST_CONTROLS } from "@tillgate/contract";
import { readSandboxFile } from "../bootstrap/sandbox-file.mjs";
import { CommandError, findMerchant, parseArguments, parseWholeNumber } from "./command.mjs";
import { sandboxActions } from "./sandbox-actions.mjs";
import { TRIGGERS } from "./triggers.mjs";

const list = () =>
  Object.entries(TRIGGERS)
    .map(([name, { about }]) => `  ${name.padEnd(20)}  ${about}\n`)
    .join("");

const HELP = `Triggers an event in the sandbox that npm start is running, or adds a test condition for the next calls,
webhooks, payments or payouts.

  npm run trigger -- pos.order.paid
  npm run trigger -- delivery_twice --count 2
  npm run trigger -- --list

Options:
  --count <number>          how many calls, webhooks, payments or payouts it affects; default: 1
  --seconds <number>        how long a delay lasts; default: 30
  --callback-url <url>      callback_url of the created order
  --merchant <name>         merchant of the sandbox; default: the first
  --list                    list the events

Events:
${list()}
Test conditions:
${TEST_CONTROLS.map((name) => `  ${name}\n`).join("")}  clear                 clears all of them
`;

const OPTIONS = {
  "callback-url": { type: "string" },
  count: { type: "string" },
  merchant: { type: "string" },
  seconds: { type: "string" },
  list: { type: "boolean" },
};

export async function run(commandLine) {
  const { values, positionals } = parseArguments(commandLine, OPTIONS);
  if (values.list) return process.stdout.write(list());
  if (values.help || positionals.length === 0) return process.stdout.write(HELP);
  const [name] = positionals;
  const trigger = Object.hasOwn(TRIGGERS, name) ? TRIGGERS[name] : undefined;
  const isCondition = name === "clear" || TEST_CONTROLS.includes(name);
  if ((!trigger && !isCondition) || positionals.length > 1)
    throw new CommandError(`Specify one of these events:\n${list()}or a test condition (see --help).`);
  const sandbox = await readSandboxFile("sandbox.json");
  if (!sandbox) throw new CommandError("No sandbox found. Run npm start.");
  const actions = sandboxActions(sandbox, findMerchant(sandbox, values.merchant));
  if (isCondition) return applyTestCondition(actions.pay.testControls, name, values);
  const callback = values["callback-url"];
  const createOrder = (fields = {}) =>
    actions.createOrder({ ...(callback === undefined ? {} : { callback_url: callback }), ...fields });
  const id = await trigger.run({ ...actions, createOrder });
  console.log(`${name}: ${id}`);
}

async function applyTestCondition(testControls, control, { count = "1", seconds = "30" }) {
  if (control === "clear") return console.log(`Test conditions cleared: ${await testControls.clear()}`);
  const created = await testControls.create({
    control,
    count: parseWholeNumber("--count", count, 1, MAX_CONTROL_COUNT),
    seconds: parseWholeNumber("--seconds", seconds, 1, MAX_DELAY_SECONDS),
  });
  console.log(`${control}: ${created.control_id}`);
}

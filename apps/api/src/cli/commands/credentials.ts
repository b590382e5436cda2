import { consoleCredentialRequestSchema, FieldRule } from "@tillgate/contract";
import type { Command } from "commander";
import { z } from "zod";
import { endCredential, issueCredential, renewCredential } from "../../identity/credentials/change.js";
import { listCredentials } from "../../identity/credentials/list.js";
import { CREDENTIAL_KINDS, type IssuedCredential } from "../../identity/credentials/manage.js";
import {
  actor,
  addCommand,
  argument,
  changeFields,
  merchant,
  mode,
  option,
  type Session,
} from "../command.js";
import { type Row, time } from "../output.js";

const credential = argument("<credential>", "the credential's id, from credentials list", z.string());
const NOTE = " Note the secret: it is not shown again.";

/** The secret of a dry run does not work, so it is not shown. */
const asRow = (issued: IssuedCredential, dryRun: boolean | undefined): Row => ({
  credential: issued.id,
  mode: issued.mode,
  kind: issued.kind,
  client_id: issued.clientId,
  ...(dryRun ? {} : { secret: issued.secret }),
});

export function addCredentialCommands(group: Command, session: Session): void {
  addCommand(group, session, {
    name: "list",
    summary: "List a merchant's credentials; secrets cannot be shown again",
    input: z.object({ merchant }),
    examples: ['"Harbour Books"'],
    run: async (context, input) => ({
      none: "No credential.",
      rows: (await listCredentials(context, input)).map((one) => ({
        credential: one.id,
        mode: one.mode,
        kind: one.kind,
        name: one.name,
        client_id: one.clientId,
        read_only: one.readOnly,
        order_only: one.orderOnly,
        created_by: one.createdBy,
        standing: one.standing,
        created: time(one.createdAt),
        expires: one.expiresAt && time(one.expiresAt),
        last_used: one.lastUsedAt && time(one.lastUsedAt),
      })),
    }),
  });
  addCommand(group, session, {
    name: "create",
    summary: "Make one more credential; those the merchant has keep working",
    input: z.object({
      merchant,
      mode,
      kind: option(
        "--kind <kind>",
        "client (Pay API) or api_token (Partner API) (required)",
        z.enum(CREDENTIAL_KINDS, { error: "must be client or api_token" }),
      ),
      name: option("--name <name>", "what you call it", consoleCredentialRequestSchema.shape.name),
      readOnly: option("--read-only", "its calls may read, and change nothing", z.boolean().optional()),
      orderOnly: option(
        "--order-only",
        "its calls may create and cancel orders, and change nothing else",
        z.boolean().optional(),
      ),
      ...changeFields,
    }),
    examples: ['"Harbour Books" --mode live --kind client --by administrator@example.com'],
    async run(context, input) {
      const issued = await issueCredential(context, {
        ...input,
        ...(await actor(context, input)),
        role: "administrator",
      });
      return {
        said: `The credential is made.${input.dryRun ? "" : NOTE}`,
        row: asRow(issued, input.dryRun),
      };
    },
  });
  addCommand(group, session, {
    name: "rotate",
    summary: "Give a credential a new secret; the old one works for a day more",
    input: z.object({
      credential,
      overlapSeconds: option(
        "--overlap-seconds <n>",
        "how long the old secret still works; 0 for a leaked one; default 86400",
        z
          .string()
          .regex(/^\d{1,7}$/, { error: FieldRule.WholeSeconds.text })
          .transform(Number)
          .optional(),
      ),
      ...changeFields,
    }),
    examples: ["1b4e28ba-2fa1-41d2-883f-0016d3cca427 --by administrator@example.com"],
    async run(context, input) {
      const rotated = await renewCredential(context, {
        ...input,
        ...(await actor(context, input)),
        role: "administrator",
      });
      return {
        said: `The credential has a new secret.${input.dryRun ? "" : NOTE}`,
        row: {
          ...asRow(rotated, input.dryRun),
          replaces: rotated.replacedId,
          old_secret_works_until: time(rotated.oldSecretExpiresAt),
        },
      };
    },
  });
  addCommand(group, session, {
    name: "revoke",
    summary: "End a credential for good; every process knows within seconds",
    input: z.object({ credential, ...changeFields }),
    examples: ["1b4e28ba-2fa1-41d2-883f-0016d3cca427 --by administrator@example.com"],
    async run(context, input) {
      const { revoked } = await endCredential(context, {
        ...(await actor(context, input)),
        credential: input.credential,
      });
      return {
        said: revoked ? "The credential is revoked." : "It was revoked already; nothing was changed.",
        row: { credential: input.credential, changed: revoked },
      };
    },
  });
}

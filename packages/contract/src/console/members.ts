import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { oneOfRule } from "../errors/field-errors.js";
import { timestamp } from "../fields.js";
import { memberRoleSchema } from "./rights.js";
import { consoleToken, newConsoleEmail, newConsolePassword } from "./sign-in.js";

const role = z.enum(memberRoleSchema.options, { error: oneOfRule(memberRoleSchema.options).text });

/** `POST /merchants/{merchant}/members/invite`: replaces an earlier invitation of the same address. */
export const inviteMemberRequestSchema = z.object({
  email: newConsoleEmail,
  role,
});
/** `POST /merchants/{merchant}/members/{user}/role` */
export const changeMemberRequestSchema = z.object({ role });

export const memberSchema = z.object({
  user_id: z.uuid(),
  email: z.string(),
  role: memberRoleSchema,
  /** Disabled users cannot sign in. */
  disabled: z.boolean(),
  since: timestamp,
  /** Active keys created by the member, in both modes. */
  keys: z.int(),
});
/** `POST /merchants/{merchant}/members/{user}/remove` */
export const removeMemberRequestSchema = z.object({
  /** Whether to also revoke the keys that the member created. */
  revoke_keys: z.boolean({ error: "must be true or false" }).optional(),
});
export const invitationSchema = z.object({
  invitation_id: z.uuid(),
  email: z.string(),
  role: memberRoleSchema,
  invited_by: z.string(),
  expires_at: timestamp,
});
/** `GET /merchants/{merchant}/members`: sorted by e-mail. */
export const memberListResponseSchema = successEnvelope(
  z.object({ members: z.array(memberSchema), invitations: z.array(invitationSchema) }),
);
export const invitationResponseSchema = successEnvelope(z.object({ invitation_id: z.uuid() }));

/** `POST /invitation` */
export const readInvitationRequestSchema = z.object({ token: consoleToken });
export const readInvitationResponseSchema = successEnvelope(
  z.object({
    email: z.string(),
    merchant: z.string(),
    role: memberRoleSchema,
    /** Whether the address has no user yet, so that accepting sets a password. */
    needs_password: z.boolean(),
  }),
);
/** `POST /invitation/accept` */
export const acceptInvitationRequestSchema = z.object({
  token: consoleToken,
  password: newConsolePassword.optional(),
});

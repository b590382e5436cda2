import type {
  ConsoleSession,
  ListedSession,
  SessionToken,
} from "../../operations/console/console-session.js";
import type { Member, OpenInvitation } from "../../operations/console/members.js";
import type { SecondFactorOn } from "../../operations/console/own-second-factors.js";
import type { ConsoleUserView } from "../../operations/console/view-console-user.js";
import { wireTime } from "../shared/wire-time.js";

export const shapeToken = ({ token, waiting, expiresAt }: SessionToken) => ({
  session: token,
  state: waiting ? "second_factor" : "signed_in",
  expires_at: wireTime(expiresAt),
});

export const shapeSecondFactorOn = ({ recoveryCodes, ...token }: SecondFactorOn) => ({
  ...shapeToken(token),
  recovery_codes: recoveryCodes,
});

export const shapeMe = (
  { id, user, expiresAt, freshUntil }: ConsoleSession,
  { merchants, totp, passkeys, recoveryCodesLeft }: ConsoleUserView,
) => ({
  user: { user_id: user.id, email: user.email, role: user.role },
  merchants: merchants.map(({ id: merchant_id, name, role }) => ({ merchant_id, name, role })),
  session: { session_id: id, expires_at: wireTime(expiresAt) },
  second_factor: {
    totp,
    passkeys: passkeys.map(({ id: passkey_id, name, createdAt, lastUsedAt }) => ({
      passkey_id,
      name,
      created_at: wireTime(createdAt),
      last_used_at: lastUsedAt && wireTime(lastUsedAt),
    })),
    recovery_codes_left: recoveryCodesLeft,
    fresh_until: freshUntil && wireTime(freshUntil),
  },
});

export const shapeSession = (listed: ListedSession, current: ConsoleSession) => ({
  session_id: listed.id,
  current: listed.id === current.id,
  created_at: wireTime(listed.createdAt),
  last_seen_at: wireTime(listed.lastSeenAt),
  expires_at: wireTime(listed.expiresAt),
  client_network: listed.clientNetwork,
  browser: listed.browser,
});

export const shapeMember = ({ userId, email, role, disabled, since, keys }: Member) => ({
  user_id: userId,
  email,
  role,
  disabled,
  since: wireTime(since),
  keys,
});

export const shapeInvitation = ({ id, email, role, invitedBy, expiresAt }: OpenInvitation) => ({
  invitation_id: id,
  email,
  role,
  invited_by: invitedBy,
  expires_at: wireTime(expiresAt),
});

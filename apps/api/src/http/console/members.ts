import {
  acceptInvitationRequestSchema,
  changeMemberRequestSchema,
  inviteMemberRequestSchema,
  readInvitationRequestSchema,
  removeMemberRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import {
  acceptInvitation,
  inviteMember,
  readInvitation,
  withdrawInvitation,
} from "../../identity/console/invitations.js";
import { listMembers, setMemberRole } from "../../identity/console/members.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { withRight } from "./caller.js";
import { toInvitation, toMember } from "./sign-in.js";

const BASE = "/merchants/:merchant/members";

export function serveMembers(router: Router, context: Context): void {
  const allowed = withRight(context);

  serve(router, BASE, {
    get: allowed("members.view", async (access, _request, response) => {
      const { members, invitations } = await listMembers(context, access);
      succeed(response, "Members retrieved", {
        members: members.map(toMember),
        invitations: invitations.map(toInvitation),
      });
    }),
  });

  serve(router, `${BASE}/invite`, {
    post: allowed("members.manage", async (access, request, response) => {
      const fields = parse(inviteMemberRequestSchema, request.body);
      succeed(response, "Invited", { invitation_id: await inviteMember(context, access, fields) });
    }),
  });

  serve(router, `${BASE}/invitations/:invitation/withdraw`, {
    post: allowed("members.manage", async (access, request, response) => {
      await withdrawInvitation(context, access, pathParameter(request, "invitation"));
      succeed(response, "Done", {});
    }),
  });

  serve(router, `${BASE}/:user/role`, {
    post: allowed("members.manage", async (access, request, response) => {
      const { role } = parse(changeMemberRequestSchema, request.body);
      await setMemberRole(context, access, { userId: pathParameter(request, "user"), role });
      succeed(response, "Role changed", {});
    }),
  });

  serve(router, `${BASE}/:user/remove`, {
    post: allowed("members.manage", async (access, request, response) => {
      const { revoke_keys: revokeKeys } = parse(removeMemberRequestSchema, request.body);
      const userId = pathParameter(request, "user");
      await setMemberRole(context, access, { userId, role: null, revokeKeys });
      succeed(response, "Member removed", {});
    }),
  });

  serve(router, "/invitation", {
    post: async (request, response) => {
      const { token } = parse(readInvitationRequestSchema, request.body);
      const { email, merchant, role, needsPassword } = await readInvitation(context, token);
      succeed(response, "Invitation retrieved", {
        email,
        merchant: merchant.name,
        role,
        needs_password: needsPassword,
      });
    },
  });

  serve(router, "/invitation/accept", {
    post: async (request, response) => {
      const { token, password } = parse(acceptInvitationRequestSchema, request.body);
      await acceptInvitation(context, { token, password });
      succeed(response, "Accepted", {});
    },
  });
}

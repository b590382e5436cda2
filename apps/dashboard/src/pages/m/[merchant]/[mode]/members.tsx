import {
  consoleDoneResponseSchema,
  hasRight,
  invitationResponseSchema,
  memberListResponseSchema,
  memberRoleSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { joinPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField, requiredField, requiredFields } from "#server/forms.ts";
import { done, type PageRequest } from "#server/request.ts";
import type { Translate } from "#texts/texts.ts";
import {
  Button,
  Confirmation,
  ConfirmedForm,
  Field,
  Form,
  SecondFactorField,
  Select,
  useRedisplayed,
} from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Table, Time } from "#views/parts.tsx";
import { useMerchantPage, usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof memberListResponseSchema>["data"];
type Member = Props["members"][number];
type Invitation = Props["invitations"][number];

/** Handling of the keys that a removed member created. */
const keysSchema = z.enum(["revoke", "keep"]);

const roleChoices = (t: Translate) =>
  memberRoleSchema.options.map((role) => ({
    value: role,
    text: `${t(`role.${role}`)} – ${t(`roleText.${role}`)}`,
  }));

export default function MembersPage({ members, invitations }: Props): ReactNode {
  const { t, merchant } = useMerchantPage();
  const manages = hasRight(merchant.role, "members.manage");
  return (
    <Frame title={t("nav.members")}>
      {manages ? (
        <ConfirmedForm label={t("members.invite")} testId="invite" action="invite">
          <Field name="email" type="email" label={t("field.email")} />
          <Select name="role" label={t("field.role")} choices={roleChoices(t)} value="viewer" />
          <SecondFactorField />
          <Button>{t("members.sendInvitation")}</Button>
        </ConfirmedForm>
      ) : null}
      <Card>
        <Table
          caption={t("nav.members")}
          rows={members}
          keyOf={({ user_id }) => user_id}
          columns={[
            { title: t("field.email"), cell: ({ email }) => email },
            { title: t("field.role"), cell: ({ role }) => t(`role.${role}`), words: true },
            { title: t("members.since"), cell: ({ since }) => <Time at={since} /> },
            {
              title: t("list.status"),
              cell: ({ disabled }) => <Badge status={disabled ? "disabled" : "active"} />,
            },
            ...(manages
              ? [{ title: t("list.actions"), cell: (member: Member) => <ChangeMember member={member} /> }]
              : []),
          ]}
        />
      </Card>
      {invitations.length > 0 ? (
        <Card title={t("members.invitations")}>
          <Table
            caption={t("members.invitations")}
            rows={invitations}
            keyOf={({ invitation_id }) => invitation_id}
            columns={[
              { title: t("field.email"), cell: ({ email }) => email },
              { title: t("field.role"), cell: ({ role }) => t(`role.${role}`), words: true },
              { title: t("members.invitedBy"), cell: ({ invited_by }) => invited_by },
              { title: t("list.until"), cell: ({ expires_at }) => <Time at={expires_at} /> },
              ...(manages
                ? [
                    {
                      title: t("list.actions"),
                      cell: (invitation: Invitation) => <Withdraw invitation={invitation} />,
                    },
                  ]
                : []),
            ]}
          />
        </Card>
      ) : null}
    </Frame>
  );
}

function ChangeMember({ member }: { member: Member }): ReactNode {
  const { t } = usePage();
  const wasRedisplayed = useRedisplayed(["role", "remove"], member.user_id);
  return (
    <Confirmation label={t("list.change")} open={wasRedisplayed}>
      <Form action="role" of={member.user_id}>
        <Select name="role" label={t("field.role")} choices={roleChoices(t)} value={member.role} />
        <SecondFactorField />
        <Button>{t("members.changeRole")}</Button>
      </Form>
      <Form action="remove" of={member.user_id} confirm={t("members.removeConfirm", { email: member.email })}>
        {member.keys === 0 ? null : (
          <Select
            name="keys"
            label={t("members.keys", { count: member.keys })}
            hint={t("members.keysHint")}
            empty={t("members.keysChoose")}
            choices={keysSchema.options.map((value) => ({ value, text: t(`members.keys.${value}`) }))}
          />
        )}
        <SecondFactorField />
        <Button kind="danger">{t("members.remove")}</Button>
      </Form>
    </Confirmation>
  );
}

function Withdraw({ invitation }: { invitation: Invitation }): ReactNode {
  const { t } = usePage();
  return (
    <ConfirmedForm label={t("members.withdraw")} action="withdraw" of={invitation.invitation_id}>
      <SecondFactorField />
      <Button kind="danger">{t("members.withdraw")}</Button>
    </ConfirmedForm>
  );
}

const membersPath = ({ part }: PageRequest, ...parts: string[]) =>
  joinPath("merchants", part("merchant"), "members", ...parts);

export const getServerSideProps = consolePage<Props>({
  load: (request) => request.read(membersPath(request), memberListResponseSchema),
  actions: {
    invite: async (request, form) => {
      const fields = { ...requiredFields(form, "email"), role: choiceField(form, "role", memberRoleSchema) };
      await request.change(membersPath(request, "invite"), invitationResponseSchema, fields);
      return done(request.consolePath("members"), "members.invited", { email: fields.email });
    },
    role: async (request, form) => {
      const path = membersPath(request, requiredField(form, "of"), "role");
      await request.change(path, consoleDoneResponseSchema, {
        role: choiceField(form, "role", memberRoleSchema),
      });
      return done(request.consolePath("members"), "members.roleChanged");
    },
    remove: async (request, form) => {
      // The form of a member who created no keys has no such field.
      const revoke_keys = form.has("keys") && choiceField(form, "keys", keysSchema) === "revoke";
      const path = membersPath(request, requiredField(form, "of"), "remove");
      await request.change(path, consoleDoneResponseSchema, { revoke_keys });
      return done(request.consolePath("members"), "members.removed");
    },
    withdraw: async (request, form) => {
      const path = membersPath(request, "invitations", requiredField(form, "of"), "withdraw");
      await request.change(path, consoleDoneResponseSchema);
      return done(request.consolePath("members"), "members.withdrawn");
    },
  },
});

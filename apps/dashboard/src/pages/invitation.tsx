import { consoleDoneResponseSchema, readInvitationResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { requiredFields } from "#server/forms.ts";
import { done, linkToken, type PageRequest } from "#server/request.ts";
import { Button, Field, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Facts } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { invitation: z.infer<typeof readInvitationResponseSchema>["data"] };

export default function InvitationPage({ invitation }: Props): ReactNode {
  const { t } = usePage();
  const { email, merchant, role, needs_password } = invitation;
  return (
    <Frame title={t("invitation.title", { merchant })} narrow>
      <div className="card">
        <Facts
          rows={[
            [t("field.email"), email],
            [t("field.role"), `${t(`role.${role}`)} – ${t(`roleText.${role}`)}`],
          ]}
        />
        <Form action={needs_password ? "accept-new" : "accept"}>
          {needs_password ? (
            <Field
              name="password"
              type="password"
              label={t("field.newPassword")}
              hint={t("field.newPasswordHint")}
              autoComplete="new-password"
            />
          ) : null}
          <Button>{t("invitation.button")}</Button>
        </Form>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  open: true,
  load: async ({ change, query }) => ({
    invitation: await change("/invitation", readInvitationResponseSchema, linkToken(query)),
  }),
  actions: {
    accept: async (request) => accept(request),
    "accept-new": async (request, form) => accept(request, requiredFields(form, "password")),
  },
});

async function accept({ change, query }: PageRequest, fields: object = {}) {
  await change("/invitation/accept", consoleDoneResponseSchema, { ...linkToken(query), ...fields });
  return done("/sign-in", "invitation.done");
}

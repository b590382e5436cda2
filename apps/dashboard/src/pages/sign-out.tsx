import { consoleDoneResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { ApiUnreachable } from "#internal-api.ts";
import { logError } from "#log.ts";
import { consolePage } from "#server/console-page.ts";
import { done } from "#server/request.ts";
import { Button, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

export default function SignOutPage(): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={t("frame.signOut")} narrow>
      <Form action="leave" className="card form">
        <Button>{t("frame.signOut")}</Button>
      </Form>
    </Frame>
  );
}

export const getServerSideProps = consolePage({
  allowPendingFactor: true,
  load: async () => ({}),
  actions: {
    // The browser's session is cleared even if the API is unreachable.
    leave: async ({ change }) => {
      await change("/sign-out", consoleDoneResponseSchema).catch((error: unknown) => {
        if (!(error instanceof ApiUnreachable)) throw error;
        logError("Failed to end a session", { reason: error.message });
      });
      return { ...done("/sign-in", "signIn.left"), session: null };
    },
  },
});

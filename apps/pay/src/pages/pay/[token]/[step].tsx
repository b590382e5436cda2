import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { readPageLocale } from "#http/page-locale.ts";
import { receiveForm } from "#steps/take-step.ts";
import type { ScreenProps } from "#views/screen.ts";
import { ScreenView } from "#views/screen-view.tsx";

export const config = { unstable_runtimeJS: false };

/** Renders the error page for an invalid form submission. Every other submission redirects to the payment page. */
export default function StepPage(props: ScreenProps): ReactNode {
  return <ScreenView {...props} />;
}

export const getServerSideProps: GetServerSideProps<ScreenProps> = async (context) => {
  const result = await receiveForm(context);
  if (typeof result === "string") return { redirect: { destination: result, statusCode: 303 } };
  const { req, res, params } = context;
  const address = `/pay/${String(params?.token)}`;
  return { props: { screen: result, ...readPageLocale({ req, res, address }, settings(), null) } };
};

import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { spokenBy } from "#http/page-locale.ts";
import { receiveForm } from "#steps/take-step.ts";
import type { Shown } from "#views/screen.ts";
import { ScreenView } from "#views/screen-view.tsx";

export const config = { unstable_runtimeJS: false };

/** Target of the page's forms. Rendered only for errors; a completed step redirects to the page. */
export default function StepPage(shown: Shown): ReactNode {
  return <ScreenView {...shown} />;
}

export const getServerSideProps: GetServerSideProps<Shown> = async (context) => {
  const result = await receiveForm(context);
  if (typeof result === "string") return { redirect: { destination: result, statusCode: 303 } };
  const { req, res, params } = context;
  const address = `/pay/${String(params?.token)}`;
  return { props: { screen: result, ...spokenBy({ req, res, address }, settings(), null) } };
};

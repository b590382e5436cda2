import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { receiveForm } from "../../../steps/receive-form";
import type { Screen } from "../../../views/screen";
import { ScreenView } from "../../../views/screen-view";

export const config = { unstable_runtimeJS: false };

/** The target of the page's forms. It draws only refusals; every taken step leads back to the page itself. */
export default function StepPage({ screen }: { screen: Screen }): ReactNode {
  return <ScreenView screen={screen} />;
}

export const getServerSideProps: GetServerSideProps<{ screen: Screen }> = async (context) => {
  const result = await receiveForm(context);
  if (typeof result !== "string") return { props: { screen: result } };
  return { redirect: { destination: result, statusCode: 303 } };
};

import { eventNames } from "@tillgate/contract";
import type { ReactNode } from "react";
import { usePage } from "./use-page";

/** Which events an endpoint receives. */
export function EventChoice({ chosen }: { chosen: readonly string[] }): ReactNode {
  const { t } = usePage();
  return (
    <fieldset className="checks">
      <legend>{t("webhooks.events")}</legend>
      {eventNames.map((name) => (
        <label key={name}>
          <input type="checkbox" name="events" value={name} defaultChecked={chosen.includes(name)} /> {name}
        </label>
      ))}
    </fieldset>
  );
}

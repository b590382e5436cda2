/** What forms are made of. */
export { Button } from "./button";
export { Confirmation } from "./confirmation";
export { Field, Select } from "./fields";
export { Form, useRefused } from "./form-element";
export { SecondFactorField } from "./second-factor";

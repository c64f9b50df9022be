// Whether a value that came from outside has the shape that it should have.

/** @typedef {(value: any) => boolean} Rule */

/** @type {Rule} */
export const string = (value) => typeof value === "string";

/** @type {Rule} */
export const filled = (value) => string(value) && value !== "";

/** A count, a length or a wait: whole, not negative, and exact. @type {Rule} */
export const number = (value) => Number.isSafeInteger(value) && value >= 0;

/** @type {Rule} */
export const flag = (value) => typeof value === "boolean";

/** @type {(rule: Rule) => Rule} */
export const optional = (rule) => (value) => value === undefined || value === null || rule(value);

/** @type {(fields: Record<string, Rule>) => Rule} */
export const shape = (fields) => {
  const rules = Object.entries(fields);
  return (value) =>
    typeof value === "object" && value !== null && rules.every(([key, rule]) => rule(value[key]));
};

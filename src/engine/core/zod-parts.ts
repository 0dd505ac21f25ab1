/** The parts of zod that the programs beside the library need. They take them from the library, so that the package holds zod once. */
import {
  array,
  enum as choice,
  literal,
  looseObject,
  number,
  object,
  record,
  strictObject,
  string,
  union,
  unknown,
  url,
} from "zod";

export const z = { array, enum: choice, literal, looseObject, number, object, record, strictObject, string, union, unknown, url };

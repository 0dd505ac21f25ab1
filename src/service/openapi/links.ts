/** Links of OpenAPI: an answer with the id of an object names the calls that this id allows. */
type Json = Record<string, unknown>;

interface Target {
  operationId: string;
  /** The path up to the id. */
  collection: string;
  parameter: string;
}

/** Operations whose only parameter in the path is the id of an object. */
function targetsIn(paths: Json): Target[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const [place = ""] = path.split("?");
    const [collection, parameter] = /^(.*)\/\{(\w+)\}/.exec(place)?.slice(1) ?? [];
    if (collection === undefined || parameter === undefined || place.split("{").length > 2) return [];
    return Object.values(item as Json).map((one) => ({ operationId: (one as Target).operationId, collection, parameter }));
  });
}

interface Maker {
  operationId: string;
  collection: string;
  /** The member of the answer with the id. */
  id: string;
  answer: Json;
}

/** Answers of creation, and later answers about the same object. */
function makersIn(paths: Json, targets: readonly Target[]): Maker[] {
  const places = Object.keys(paths);
  return Object.entries(paths).flatMap(([path, item]) => {
    const [place = ""] = path.split("?");
    // The answer of a collection inside an object is about a part of the object.
    const isOfPart = place.includes("{") && places.some((one) => one.startsWith(`${place}/{`));
    return Object.entries(item as Json).flatMap(([method, one]) => {
      const { operationId, responses } = one as { operationId: string; responses: Json };
      const target = targets.find((each) => each.operationId === operationId);
      const collection = target?.collection ?? (method === "post" ? place : undefined);
      if (collection === undefined || isOfPart || !targets.some((each) => each.collection === collection)) return [];
      return Object.entries(responses).flatMap(([status, answer]) => {
        const properties = propertiesOf(answer as Json);
        const id = ["id", "uuid"].find((name) => name in properties);
        // Another answer below an object, such as a signing session, has neither.
        const isObject = target === undefined || "status" in properties || "name" in properties;
        return status < "300" && id !== undefined && isObject ? [{ operationId, collection, id, answer: answer as Json }] : [];
      });
    });
  });
}

function propertiesOf(answer: Json): Json {
  const media = (answer.content as Json | undefined)?.["application/json"] as { schema?: { properties?: Json } } | undefined;
  return media?.schema?.properties ?? {};
}

/** Adds links to the answers, and returns the links by name. Each operation has one. */
export function addLinks(paths: Json): Json {
  const targets = targetsIn(paths);
  const links: Json = {};
  for (const { operationId: own, collection, id, answer } of makersIn(paths, targets)) {
    const next = targets.filter((one) => one.collection === collection && one.operationId !== own);
    for (const { operationId, parameter } of next)
      links[`${operationId}By${id === "id" ? "Id" : "Uuid"}`] ??= {
        operationId,
        parameters: { [parameter]: `$response.body#/${id}` },
        description: "A call about the object of this answer.",
      };
    if (next.length > 0)
      answer.links = Object.fromEntries(
        next.map(({ operationId }) => [
          operationId,
          { $ref: `#/components/links/${operationId}By${id === "id" ? "Id" : "Uuid"}` },
        ]),
      );
  }
  return links;
}

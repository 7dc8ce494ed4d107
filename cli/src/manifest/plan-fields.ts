import { keyProblem, textProblem } from "./check-values.ts";
import { columnMissing, findColumns } from "./find-columns.ts";
import { type Defect, isDefect, ManifestError } from "./finding-codes.ts";
import { type Field, fields, type Mapping, type Templates } from "./mapping.ts";
import { isOwnColumn } from "./own-columns.ts";
import { compileTemplates, type Template } from "./template.ts";

/** Where every part of a call comes from. */
export interface Plan {
  readonly file: Template;
  readonly time: Template;
  /** Either of them is there. */
  readonly agent: Template | undefined;
  readonly agentEmail: Template | undefined;
  readonly agentName: Template | undefined;
  readonly campaign: Template;
  readonly metadata: readonly { readonly key: string; readonly from: Template }[];
  readonly only: readonly { readonly from: Template; readonly values: ReadonlySet<string> }[];
  /** Columns without a name: what stands in them cannot be kept. */
  readonly unnamed: readonly number[];
}

interface PlanOptions {
  readonly columns: readonly string[];
  readonly mapping: Mapping;
  /** Of all calls, whatever the rows say. */
  readonly campaign: string | undefined;
  readonly hasAgentsFile: boolean;
}

/** Decides which column is what: as the mapping says, otherwise by the columns' names. Throws all that is wrong at once. */
export function planFields({ columns, mapping, campaign, hasAgentsFile }: PlanOptions): Plan {
  const defects: Defect[] = [];
  const compile = (templates: Templates, field: string): Template | undefined => {
    const compiled = compileTemplates(templates, field, columns);
    if (!isDefect(compiled)) return compiled;
    defects.push(compiled);
    return undefined;
  };
  const said = new Map<Field, Templates>();
  for (const field of fields) {
    const template = field === "time" ? mapping.time?.from : mapping[field];
    if (template !== undefined && !(field === "campaign" && campaign !== undefined)) said.set(field, template);
  }
  const settled = new Set<Field>([...said.keys(), ...(campaign === undefined ? [] : ["campaign" as const])]);
  const found = findColumns({ columns, settled, hasAgentsFile });
  if (Array.isArray(found)) defects.push(...found);
  const placeOf: { readonly [field in Field]?: number } = Array.isArray(found) ? {} : found;
  const from = (field: Field): Template | undefined => {
    const template = said.get(field);
    if (template !== undefined) return compile(template, field);
    const place = placeOf[field];
    return place === undefined ? undefined : { uses: [place], fill: (cells) => (cells[place] ?? "").trim() };
  };
  const named = Object.fromEntries(fields.map((field) => [field, from(field)])) as Record<Field, Template | undefined>;
  const always = campaign === undefined ? named.campaign : { uses: [], fill: () => campaign };
  const kept = Object.entries(mapping.metadata ?? {}).map(([key, template]) => ({ key, from: compile(template, key) }));
  const only = Object.entries(mapping.only ?? {}).map(([column, values]) => ({
    from: compile(`{${column}}`, "only"),
    values: new Set(values),
  }));

  // What is wrong in the mapping comes first: a column that is missing because of it need not be told.
  const needed = {
    file: named.file,
    time: named.time,
    agent_email: named.agent ?? named.agent_email,
    campaign: always,
  };
  if (defects.length === 0)
    for (const field of ["file", "agent_email", "time", "campaign"] as const)
      if (!needed[field]) defects.push(columnMissing(field, columns));

  const used = new Set(
    [...Object.values(named), ...kept.map(({ from }) => from), ...only.map(({ from }) => from)].flatMap(
      (one) => one?.uses ?? [],
    ),
  );
  const rest =
    mapping.rest === "drop"
      ? []
      : columns.flatMap((key, place) =>
          used.has(place) || key === "" || isOwnColumn(key) ? [] : [restOf(key, place)],
        );
  const metadata = [...kept, ...rest].flatMap(({ key, from }) => (from ? [{ key, from }] : []));
  defects.push(...metadata.flatMap(({ key }) => keyProblem(key) ?? textProblem(key, key) ?? []));
  if (defects.length > 0 || !needed.file || !needed.time || !always) throw new ManifestError(defects);
  return {
    file: needed.file,
    time: needed.time,
    agent: named.agent,
    agentEmail: named.agent_email,
    agentName: named.agent_name,
    campaign: always,
    metadata,
    only: only.flatMap(({ from, values }) => (from ? [{ from, values }] : [])),
    unnamed: columns.flatMap((column, place) => (column === "" && !used.has(place) ? [place] : [])),
  };
}

const restOf = (key: string, place: number) => ({
  key,
  from: { uses: [place], fill: (cells: readonly string[]) => (cells[place] ?? "").trim() } satisfies Template,
});

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/**
 * Checks that imports in `src` and `e2e` follow the rules below, that neither files nor sibling folders import each other
 * in a circle, and that folders stay small and shallow. Type-only imports count as well.
 */

/** A file or folder may import from its own row and from rows below it. */
const layers = [
  ['src/dashboard/main.tsx', 'src/dashboard/shared-main.tsx'],
  ['src/dashboard/router.ts', 'src/dashboard/route-tree.gen.ts'],
  ['src/dashboard/routes'],
  ['src/dashboard/shell'],
  ['src/dashboard/home'],
  [
    'src/dashboard/exports',
    'src/dashboard/recordings',
    'src/dashboard/keys',
    'src/dashboard/members',
    'src/dashboard/accounts',
    'src/dashboard/privacy',
    'src/dashboard/providers',
    'src/dashboard/alerts',
    'src/dashboard/audit',
  ],
  ['src/dashboard/connections'],
  ['src/dashboard/account.ts'],
  ['src/dashboard/queries'],
  ['src/dashboard/ui'],
  ['src/dashboard/format'],
  ['src/dashboard/api'],

  ['src/service/main.ts', 'src/service/admin.ts', 'src/service/admin-accounts.ts'],
  ['src/service/start-service.ts'],
  ['src/service/definitions'],
  [
    'src/service/server',
    'src/service/sample',
    'src/service/open-services.ts',
    'src/service/start-background.ts',
  ],
  ['src/service/bulk'],
  ['src/service/handlers'],
  [
    'src/service/services.ts',
    'src/service/alerts',
    'src/service/audit',
    'src/service/auth',
    'src/service/capture',
    'src/service/exporter',
    'src/service/background',
    'src/service/destinations',
    'src/service/runs',
    'src/service/snapshots',
    'src/service/masking',
    'src/service/recordings',
    'src/service/privacy',
    'src/service/mail',
  ],
  ['src/service/http'],
  ['src/service/store', 'src/service/warehouse', 'src/service/hogql'],
  ['src/service/engines'],
  [
    'src/service/config.ts',
    'src/service/machine.ts',
    'src/service/clock.ts',
    'src/service/start-loops.ts',
    'src/service/startup-error.ts',
    'src/service/command-line.ts',
  ],
  ['src/service/problems'],

  ['src/replay'],
  ['src/contract'],
]

/** Exceptions that may run upward, each explained in CONTRIBUTING. */
const upward: readonly { from: string; to: string }[] = []

/** Imports that are forbidden regardless of layers. Rules without `tests` do not apply to tests. */
const forbidden: readonly { from: string; to: RegExp; why: string; tests?: true }[] = [
  { from: 'src/contract', to: /^(?!zod$|src\/contract\/)/, why: 'the contract depends on zod alone' },
  {
    from: 'src/replay',
    to: /^(?!fast-check$|vitest$|@rrweb\/types$|src\/(replay|contract)\/)/,
    why: 'the service and the dashboard both compute pages, so src/replay depends on the contract alone',
    tests: true,
  },
  {
    from: 'src/dashboard',
    to: /^src\/service\//,
    why: 'the dashboard knows the service only through the contract',
    tests: true,
  },
  {
    from: 'src/dashboard',
    to: /^(node:|fastify|kysely|pg)/,
    why: 'the dashboard runs in a browser',
  },
  {
    from: 'src/service',
    to: /^src\/dashboard\//,
    why: 'the service does not know the dashboard',
    tests: true,
  },
  {
    from: 'src/dashboard/exports',
    to: /^src\/dashboard\/recordings\//,
    why: 'exports and recordings share code only through ui, format and queries',
    tests: true,
  },
  {
    from: 'src/dashboard/recordings',
    to: /^src\/dashboard\/exports\//,
    why: 'exports and recordings share code only through ui, format and queries',
    tests: true,
  },
  { from: 'src', to: /^src\/.*\/testing\//, why: 'only tests and e2e import testing' },
]

/** Files in a folder, and folders below `src` on the way to a file; tests and migrations, which only grow in number, do not count. */
const filesMax = 25
const depthMax = 3

/** The imports of each file, as paths from the root (`src/…`) and package specifiers, by the importing file's path. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** Reads the imports of every TypeScript file below `root`/src and `root`/e2e. */
export function readImports(root: string): Imports {
  const files = globSync(['src/**/*.{ts,tsx}', 'e2e/**/*.ts'], { cwd: root })
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'))]))
}

function importsOf(file: string, code: string): string[] {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found = new Set<string>()
  const add = ({ source }: { source: unknown }): void => {
    const specifier = literalText(source)
    if (specifier !== null) found.add(specifier.startsWith('.') ? join(dirname(file), specifier) : specifier)
  }
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(program)
  return [...found]
}

function literalText(node: unknown): string | null {
  const isLiteral = typeof node === 'object' && node !== null && 'value' in node
  return isLiteral && typeof node.value === 'string' ? node.value : null
}

/** Returns one line for each import that breaks a rule, each file without a layer and each circle of files or folders. */
export function brokenRules(imports: Imports): string[] {
  const broken: string[] = []
  for (const [from, targets] of imports) {
    for (const to of targets) {
      const why = reasonAgainst(from, to)
      if (why !== null) broken.push(`${from} imports ${to}: ${why}`)
    }
  }
  return [...broken, ...unlayered(imports), ...circles(imports), ...circles(importsOfFolders(imports))]
}

function reasonAgainst(from: string, to: string): string | null {
  const rule = forbidden.find(
    (rule) => isIn(from, rule.from) && rule.to.test(to) && (rule.tests || !isTest(from)),
  )
  if (rule) return rule.why
  if (isTest(from) || upward.some((known) => known.from === from && known.to === to)) return null
  const [layer, lower] = [layerOf(from), layerOf(to)]
  return layer !== -1 && lower !== -1 && lower < layer ? 'the import runs upward' : null
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$|\/testing\//.test(file)
}

function layerOf(file: string): number {
  return layers.findIndex((row) => row.some((place) => isIn(file, place)))
}

function isIn(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`)
}

/** Finds files in src without a layer, so that a new folder cannot escape the check. */
function unlayered(imports: Imports): string[] {
  return [...imports.keys()]
    .filter((file) => isIn(file, 'src') && !isTest(file))
    .filter((file) => layerOf(file) === -1)
    .map((file) => `${file} is in no layer`)
}

/**
 * The imports between sibling folders, which stand for all files below them. A file beside the folder that it imports, such
 * as `services.ts`, is in none of its siblings; neither is a folder's parent.
 */
function importsOfFolders(imports: Imports): Imports {
  const folders = new Map<string, string[]>()
  for (const [file, targets] of imports) {
    if (isTest(file)) continue
    for (const target of targets) {
      if (!imports.has(target)) continue
      const [from, to] = [file.split('/'), target.split('/')]
      const depth = from.findIndex((name, index) => name !== to[index]) + 1
      if (depth === 0 || depth >= from.length || depth >= to.length) continue
      const [folder, sibling] = [from.slice(0, depth).join('/'), to.slice(0, depth).join('/')]
      folders.set(folder, [...(folders.get(folder) ?? []), sibling])
    }
  }
  return folders
}

/** Finds each group that imports each other, with Tarjan's algorithm for strongly connected components. */
function circles(imports: Imports): string[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const found: string[] = []

  function visit(file: string): number {
    const index = order.size
    order.set(file, index)
    stack.push(file)
    let low = index
    for (const to of imports.get(file) ?? []) {
      if (!imports.has(to)) continue
      if (!order.has(to)) low = Math.min(low, visit(to))
      else if (stack.includes(to)) low = Math.min(low, order.get(to) ?? low)
      if (to === file) found.push(`${file} imports itself`)
    }
    lowest.set(file, low)
    if (low === index) {
      const group = stack.splice(stack.indexOf(file))
      if (group.length > 1) found.push(`a circle: ${group.join(' → ')} → ${file}`)
    }
    return low
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return found
}

/** Returns one line for each folder below `root`/src that contains too many files or is too deep. */
export function unwieldyFolders(root: string): string[] {
  const files = globSync('src/**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.|^\d+-.*\.sql$/.test(entry.name))
    .map(({ parentPath }) => relative(root, parentPath))
  return Object.entries(Object.groupBy(files, (folder) => folder)).flatMap(([folder, { length } = []]) => [
    ...(length > filesMax ? [`${folder} contains ${length} files, more than ${filesMax}`] : []),
    ...(folder.split('/').length - 1 > depthMax
      ? [`${folder} is more than ${depthMax} folders below src`]
      : []),
  ])
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const stale = upward.flatMap(({ from, to }) => [from, to]).filter((file) => !existsSync(join(root, file)))
  const broken = [
    ...brokenRules(readImports(root)),
    ...unwieldyFolders(root),
    ...stale.map((file) => `${file} does not exist`),
  ]
  for (const line of broken) console.error(line)
  process.exitCode = broken.length > 0 ? 1 : 0
}

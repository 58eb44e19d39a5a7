import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Checks that every path named in these documents exists. */
const documents = ['README.md', '.github/*.md', '.github/docs/*.md']

/** Returns the paths of the documents to check. */
export function documentsIn(root: string): string[] {
  return globSync(documents, { cwd: root }).toSorted()
}

/** Folders that a path may be relative to, besides the root and the document's folder; the README's diagram omits them. */
const prefixes = ['src', 'src/dashboard', 'src/service']

/** Outside code, only file names are checked, because prose also contains slashes ("and/or") and dots ("Node.js"). */
const fileName = /[\w-]\.(ts|tsx|json|md|html|css|svg|png)$/

type NamedPath = { line: number; path: string }

/**
 * Returns the paths that a document names but that do not exist. A path is a word with a slash in code, or a file name anywhere,
 * including links and images. A bare file name may be in any folder, a glob must match a file, and of `a/<name>.ts` only `a/` is
 * checked. URLs, their paths (`/api/`), packages (`@scope/name`) and ignored folders are skipped.
 */
export function missingPaths(root: string, document: string): NamedPath[] {
  const lines = readFileSync(join(root, '.gitignore'), 'utf8').split('\n')
  const ignored = lines.filter((line) => line.endsWith('/'))
  return namedPaths(readFileSync(join(root, document), 'utf8')).filter(
    ({ path }) =>
      !ignored.some((folder) => `${path}/`.startsWith(folder)) && !exists(root, path, dirname(document)),
  )
}

function namedPaths(text: string): NamedPath[] {
  let fenced = false
  return text.split('\n').flatMap((content, index) => {
    if (content.startsWith('```')) fenced = !fenced
    return content.split('`').flatMap((part, position) => {
      const isCode = fenced || position % 2 === 1
      return wordsOf(part)
        .filter((word) => (isCode && word.includes('/')) || fileName.test(word))
        .map((path) => ({ line: index + 1, path }))
    })
  })
}

function wordsOf(text: string): string[] {
  return text
    .split(/[\s'"()[\]<>|;=…]+|,(?![^{]*\})/)
    .filter((word) => !word.includes('://') && !/^[/@$~-]/.test(word))
    .map((word) => word.replace(/[#?:].*$|[.,!]+$/, ''))
}

/** Whether a path exists; a module may be named without its extension. */
function exists(root: string, path: string, folder: string): boolean {
  const named = `${path.replace(/\/$/, '')}${path.endsWith('/') ? '/' : '{,.ts,.tsx}'}`
  const anywhere = ['.*', '{src,e2e,public}/**'].map((place) => `${place}/${named}`)
  const fromRoot = path.startsWith('../') ? [] : ['.', ...prefixes].map((place) => `${place}/${named}`)
  const patterns = [`${folder}/${named}`, ...fromRoot, ...(path.includes('/') ? [] : anywhere)]
  return globSync(patterns, { cwd: root }).length > 0
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  for (const document of documentsIn(root)) {
    for (const { line, path } of missingPaths(root, document)) {
      console.error(`${document}:${line}: ${path} does not exist`)
      process.exitCode = 1
    }
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../ui/feedback/toasts.ts'

type Named = { id: string; team_id: number; name: string }

/** Returns a function that fetches an export and copies the curl command that creates the same export. */
export function useCopyAsCurl(): (named: Named) => void {
  const client = useQueryClient()
  return ({ id, team_id: projectId, name }) => {
    const copy = async () => {
      const { copyExport, fetchExport } = await import('./copy-export.ts')
      if (!(await copyExport(await fetchExport(client, String(projectId), id))))
        throw new Error(
          'The browser blocked copying. “Copy as curl” in the export’s settings shows the command.',
        )
    }
    copy().catch(toastFailure(`${name} could not be copied.`))
  }
}

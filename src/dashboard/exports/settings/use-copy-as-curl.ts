import { useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../ui/feedback/toasts.ts'

type Named = { id: string; team_id: number; name: string }

/** Copies the command that creates the same export; a list knows too little of it, so that it is fetched first. */
export function useCopyAsCurl(): (named: Named) => void {
  const client = useQueryClient()
  return ({ id, team_id: projectId, name }) => {
    const copy = async () => {
      const { copyExport, fetchExport } = await import('./copy-export.ts')
      if (!(await copyExport(await fetchExport(client, String(projectId), id))))
        throw new Error('The browser did not let it be copied. “Copy as curl” among its settings shows it.')
    }
    copy().catch(toastFailure(`${name} could not be copied.`))
  }
}

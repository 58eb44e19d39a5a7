export const destinationTypes = ['S3', 'File'] as const

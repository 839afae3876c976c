; Installer for Windows, for one user, without an administrator: ISCC /DVersion=0.1.0 lectern.iss
; Written with care and never run: there was no Windows to try it on.
#ifndef Version
  #error Say which version: /DVersion=…
#endif

[Setup]
; Never to change: by it an installer finds what an older one installed.
AppId={{5E0C0D4E-6B2B-4C55-9C35-1E7C1E2A9B61}
AppName=Lectern
AppVersion={#Version}
AppPublisher=The Lectern authors
DefaultDirName={autopf}\Lectern
PrivilegesRequired=lowest
DisableProgramGroupPage=yes
DisableDirPage=auto
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\..\LICENSE
SetupIconFile=..\..\..\build\package\icons\lectern.ico
UninstallDisplayIcon={app}\lectern.exe
OutputDir=..\..\..\dist
OutputBaseFilename=lectern-{#Version}-windows-x86_64-setup
Compression=lzma2
SolidCompression=yes
CloseApplications=yes
WizardStyle=modern

[Tasks]
Name: desktopicon; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; Files of an older version that this one does not have any more. Courses and chats lie elsewhere.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "..\..\..\dist\lectern\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Lectern"; Filename: "{app}\lectern.exe"
Name: "{autodesktop}\Lectern"; Filename: "{app}\lectern.exe"; Tasks: desktopicon

[Registry]
; Links to places of a library. Behind “--”, nothing that a link contains is an option.
Root: HKA; Subkey: "Software\Classes\lectern"; ValueType: string; ValueData: "URL:Lectern"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\lectern"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKA; Subkey: "Software\Classes\lectern\shell\open\command"; ValueType: string; ValueData: """{app}\lectern.exe"" open -- ""%1"""

[Run]
Filename: "{app}\lectern.exe"; Description: "{cm:LaunchProgram,Lectern}"; Flags: nowait postinstall skipifsilent

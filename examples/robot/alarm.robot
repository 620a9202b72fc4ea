*** Settings ***
Documentation     What an app may rely on, as tests of a keychain: copy this file, and put your app
...               beside it.
Library           fob.robot

*** Test Cases ***
A Press Becomes One Alarm And The Light Says So
    ${event}=    Press
    Alarm Should Become    EMERGENCY_SENT
    Press Should Have Arrived    ${event}
    Latency Should Be Below    1 s
    Light Should Become    accepted

The PIN Ends It And No Other Does
    Press
    Alarm Should Become    EMERGENCY_SENT
    Run Keyword And Expect Error    *wrong PIN*    Disarm Alarm    0000
    Disarm Alarm
    Alarm Should Become    EMERGENCY_ENDED

A Press With The Plug Pulled Arrives Later
    Unplug
    Press
    Press Should Not Have Arrived
    Cut Power    100 ms
    Replug
    Wait Until Acked
    Press Should Have Arrived

A Line That Damages Bytes Loses No Press
    Disturb Line    flip    to=host    rate=0.002    seed=7
    Press
    Wait Until Acked
    Press Should Have Arrived

A Killed Core Still Knows Its Alarm
    Press
    Alarm Should Become    EMERGENCY_SENT
    Restart Bridge
    Alarm Should Be    EMERGENCY_SENT
